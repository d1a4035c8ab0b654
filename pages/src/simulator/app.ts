/** The simulator: what the reader chooses makes a request; its run is looked up or fetched, and shown. */

import { el, keepingPlace } from "../common/dom";
import { prose } from "../common/prose";
import { type TableState, UNSORTED } from "../common/table";
import type { Call, Frontend, PageData, Request, Run, Survey } from "../protocol";
import { fetchRun, Refused } from "./live";
import { requestKey } from "./model/combination";
import { alarmOf, figuresOf } from "./model/figures";
import { hashOf, stateFrom } from "./model/hash";
import { FAILED, type Outcome, outcomeOf } from "./model/outcomes";
import { Runs } from "./model/runs";
import { called, calledAgain, capturedWith, firstState, keeping, requestOf, startedOver, type State, type Tab } from "./model/state";
import { callList } from "./page/calls";
import { type ControlPanel, controlPanel } from "./page/controls";
import { alarm, type FigureCards, figureCards } from "./page/figures";
import { type Frontends, frontends } from "./page/frontends";
import { type GraphPane, graphPane } from "./page/graphs";
import { guardTable } from "./page/guards";
import { header } from "./page/header";
import { history } from "./page/history";
import { failed, notRecorded, running } from "./page/notices";
import { type SourcePane, sourcePane } from "./page/source";
import { type Tabs, tabs } from "./page/tabs";

/** How many recorded combinations are offered for one that is not. */
const OFFERED = 3;

export class App {
  private readonly runs: Runs;
  private state: State;
  private readonly errors = new Map<string, Refused>();
  /** Why no further run can be fetched. */
  private over: Refused | null = null;
  /** What is being fetched; a newer state stops it. */
  private fetching: { key: string; abort: AbortController } | null = null;
  private guardState: TableState = UNSORTED;
  private said = "";

  private readonly frontends: Frontends;
  private readonly figures: FigureCards = figureCards();
  private readonly controls: ControlPanel;
  private readonly source: SourcePane;
  private readonly graphs: GraphPane;
  private readonly tabs: Tabs;
  private readonly alarmPlace = el("div", { class: "alarm-place" });
  private readonly noticePlace = el("div", { class: "notice-place" });
  private readonly explanation = el("p", { class: "explanation", attributes: { "data-part": "explanation", "aria-live": "polite" } });
  private readonly historyPlace = el("div", { class: "card history-place" });

  constructor(
    private readonly root: HTMLElement,
    private readonly data: PageData,
    private readonly survey: Survey,
  ) {
    const { controls, path } = survey;
    this.runs = new Runs(data.runs);
    this.state = this.stateOfAddress();
    this.frontends = frontends(controls, (frontend) => this.change({ ...this.state, frontend }));
    this.controls = controlPanel(controls, {
      call: (combination) => this.change(called(this.state, combination)),
      again: () => this.change(calledAgain(this.state)),
      capture: () => this.change(capturedWith(this.state)),
      startOver: () => this.change(startedOver(this.state, controls)),
      keep: (keep) => this.change(keeping(this.state, keep)),
      onLine: (line) => this.point(line),
    });
    this.source = sourcePane(survey, (line) => {
      this.source.point(line, false);
      this.graphs.highlight(path, line);
    });
    this.graphs = graphPane(path, (line) => this.point(line));
    this.tabs = tabs((tab) => this.change({ ...this.state, tab }));
    this.build();
    addEventListener("hashchange", () => {
      if (location.hash === hashOf(this.state)) return;
      this.state = this.stateOfAddress();
      this.render();
    });
    this.render();
  }

  private stateOfAddress(): State {
    const { controls } = this.survey;
    return stateFrom(location.hash, controls) ?? firstState(controls);
  }

  private build(): void {
    const { controls } = this.survey;
    document.title = `${this.data.title || this.survey.entry} · capture simulator`;
    this.root.replaceChildren(
      el("a", { class: "skip-link", text: "To the figures", attributes: { href: "#", "data-control": "skip" }, on: { click: (event) => {
        event.preventDefault();
        this.figures.element.scrollIntoView();
        this.figures.element.focus();
      } } }),
      header(this.data, this.survey),
      el(
        "main",
        {},
        this.frontends.element,
        this.alarmPlace,
        this.figures.element,
        el("div", { class: "said" }, this.explanation, this.noticePlace),
        el(
          "div",
          { class: "columns" },
          this.source.element,
          el("div", { class: "column" }, this.controls.element, this.historyPlace, this.tabs.element),
        ),
        this.foot(),
      ),
    );
    this.figures.element.tabIndex = -1;
    this.root.dataset.mode = this.data.live ? "live" : "recorded";
    this.root.dataset.frontends = String(controls.frontends.length);
  }

  private foot(): HTMLElement {
    const { torch, recorded, live } = this.data;
    const said = [
      torch ? `Everything here was run by PyTorch ${torch}.` : "Everything here was run by PyTorch.",
      live ? "What is not known yet is run when it is asked for." : (recorded ?? ""),
    ];
    return el("footer", { class: "note foot" }, ...prose(said.filter(Boolean).join(" ")));
  }

  private change(state: State): void {
    if (state === this.state) return;
    this.state = state;
    window.history.replaceState(null, "", hashOf(state));
    this.render();
  }

  private point(line: number): void {
    this.source.point(line, true);
    this.graphs.highlight(this.survey.path, line);
  }

  private render(): void {
    const { state, data } = this;
    const request = requestOf(state);
    const key = requestKey(request);
    const run = this.runs.find(request);
    const call = run?.calls[state.shown] ?? null;
    const waits = run === null && data.live && this.over === null && !this.errors.has(key);
    this.root.dataset.state = run !== null ? "ready" : waits ? "running" : data.live ? "failed" : "not-recorded";
    this.controls.show(state);
    this.frontends.show(state.frontend, this.outcomes(request));
    this.figures.show(run === null ? null : figuresOf(run, state.shown), waits);
    const alarming = run === null ? null : alarmOf(run, state.shown);
    this.alarmPlace.replaceChildren(...(alarming === null ? [] : [alarm(alarming)]));
    const said = call?.explanation ?? "";
    if (this.said !== said) {
      this.said = said;
      this.explanation.replaceChildren(...prose(said).filter((part) => part !== null));
    }
    this.explanation.hidden = said === "";
    this.noticePlace.replaceChildren(...(run === null ? [this.notice(request, key, waits)] : []));
    this.source.show(run, call);
    keepingPlace(this.historyPlace, () =>
      this.historyPlace.replaceChildren(
        el("h2", { text: "Calls" }),
        history(this.survey.controls, state, run, (shown) => {
          this.change({ ...state, shown });
          this.historyPlace.querySelector<HTMLElement>(`[data-call="${shown}"]`)?.focus();
        }),
      ),
    );
    this.renderTab(run, call);
    if (data.live && this.over === null) this.fetchWhatIsMissing(request, run === null);
  }

  private renderTab(run: Run | null, call: Call | null): void {
    const { state, tabs: bar } = this;
    const { tab } = state;
    bar.show(tab, titlesOf(run));
    keepingPlace(bar.panel, () => {
      const content =
        tab === "graph" ? this.graphs.drawing : tab === "code" ? this.graphs.code : this.tabContent(tab, run, call);
      if (bar.panel.firstChild !== content) bar.panel.replaceChildren(content);
      this.graphs.show(run, call, tab === "graph" || tab === "code" ? tab : null);
    });
  }

  private tabContent(tab: Tab, run: Run | null, call: Call | null): HTMLElement {
    if (run === null) return el("p", { class: "note empty", text: "No run is shown." });
    const onLine = (line: number): void => this.point(line);
    if (tab === "guards") {
      const onState = (state: TableState): void => {
        this.guardState = state;
      };
      return guardTable(run, call, this.survey.path, this.guardState, onState, onLine);
    }
    return callList(this.survey.controls, run, this.state.shown, (shown) => this.change({ ...this.state, shown }), onLine);
  }

  private outcomes(request: Request): Map<Frontend, Outcome> {
    const outcomes = new Map<Frontend, Outcome>();
    for (const frontend of this.survey.controls.frontends) {
      const own = { ...request, frontend };
      const run = this.runs.find(own);
      if (run !== null) outcomes.set(frontend, outcomeOf(run, this.state.shown));
      else if (this.errors.has(requestKey(own))) outcomes.set(frontend, FAILED);
    }
    return outcomes;
  }

  private notice(request: Request, key: string, waits: boolean): HTMLElement {
    if (waits) return running(request);
    const error = this.over ?? this.errors.get(key);
    if (error !== undefined) {
      return failed(error.message, error.reload, () => {
        this.errors.delete(key);
        this.render();
      });
    }
    return notRecorded(this.survey, this.data.command, this.runs.nearest(request, OFFERED), ({ frontend, calls }) =>
      this.change({ ...this.state, frontend, calls, shown: calls.length - 1, keep: calls.length > 2 }),
    );
  }

  /** One at a time: the run that is shown, then those of the other frontends. */
  private fetchWhatIsMissing(request: Request, missing: boolean): void {
    const wanted = missing ? [request] : [];
    for (const frontend of this.survey.controls.frontends) {
      const other = { ...request, frontend };
      if (frontend !== request.frontend && this.runs.find(other) === null) wanted.push(other);
    }
    const next = wanted.find((one) => !this.errors.has(requestKey(one)));
    const key = next === undefined ? "" : requestKey(next);
    if (this.fetching?.key === key) return;
    this.fetching?.abort.abort();
    this.fetching = null;
    if (next === undefined) return;
    const fetching = { key, abort: new AbortController() };
    this.fetching = fetching;
    fetchRun(next, fetching.abort.signal).then(
      (run) => {
        // Under the key that was asked for, whatever the answer says of itself.
        this.runs.add({ ...run, request: next });
        this.fetched(fetching);
      },
      (error: unknown) => {
        if (fetching.abort.signal.aborted) return;
        const refused = error instanceof Refused ? error : new Refused(String(error));
        if (refused.reload) this.over = refused;
        else this.errors.set(key, refused);
        this.fetched(fetching);
      },
    );
  }

  private fetched(one: { key: string }): void {
    if (this.fetching !== one) return;
    this.fetching = null;
    this.render();
  }
}

function titlesOf(run: Run | null): Record<Tab, string> {
  const count = (number: number | undefined): string => (number === undefined ? "" : ` ${number}`);
  return {
    graph: run !== null && run.graphs.length > 1 ? `Graphs${count(run.graphs.length)}` : "Graph",
    code: "Code",
    guards: `Guards${count(run?.guards.length)}`,
    calls: `Calls${count(run?.calls.length)}`,
  };
}

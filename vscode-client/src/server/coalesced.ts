/** Runs one task at a time; whatever is asked for while it runs becomes one run more, forced if any of it was. */
export class Coalesced {
  private running: Promise<void> | null = null;
  private waiting: Promise<void> | null = null;
  private forced = false;

  constructor(private readonly task: (forced: boolean) => Promise<void>) {}

  /** Settles with the run that answers this call. */
  ask(forced: boolean): Promise<void> {
    this.forced ||= forced;
    if (this.waiting) return this.waiting;
    const before = this.running;
    if (!before) return this.begin();
    this.waiting = before.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.waiting;
  }

  private begin(): Promise<void> {
    const forced = this.forced;
    this.waiting = null;
    this.forced = false;
    const run = this.task(forced).finally(() => {
      if (this.running === run) this.running = null;
    });
    this.running = run;
    return run;
  }
}

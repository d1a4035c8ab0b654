/** The workbench in the browser, driven by keyboard and mouse and read from what it shows. */

import { chromium, type Browser, type Frame, type Locator, type Page } from "playwright-core";
import type { Settings } from "./host.ts";
import { until } from "./polling.ts";
import type { Camera } from "./steps.ts";

const viewport = { width: 1400, height: 900 };

export async function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    // The run ends the browser itself, after a picture of what went wrong.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      // The workbench asks for a marketplace and the like: none of it is needed, and waiting for it takes time.
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ],
  });
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Workbench implements Camera {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, url: string, workspace: string): Promise<Workbench> {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${url}/?folder=${encodeURIComponent(workspace)}`, { waitUntil: "domcontentloaded", timeout: 120_000 });
    await page.locator(".monaco-workbench .part.editor").waitFor({ timeout: 120_000 });
    return new Workbench(page);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }

  // Files and commands

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    const rows = await this.quickInput("F1", title);
    await rows.filter({ hasText: title }).first().click();
  }

  /** What the palette offers for a title. */
  async commandsLike(title: string): Promise<string[]> {
    const rows = await this.quickInput("F1", title);
    await this.page.waitForTimeout(1000);
    const found = await rows.allInnerTexts();
    await this.page.keyboard.press("Escape");
    await this.page.locator(".quick-input-widget:visible").waitFor({ state: "detached" });
    return found.map((row) => row.split("\n")[0] ?? "");
  }

  /** What a step that failed may have left. */
  private async closeQuickInput(): Promise<void> {
    const widget = this.page.locator(".quick-input-widget:visible");
    await until("no quick input", async () => {
      if ((await widget.count()) === 0) return true;
      await this.page.keyboard.press("Escape");
      return false;
    });
  }

  private async quickInput(key: string, text: string): Promise<Locator> {
    const input = this.page.locator(".quick-input-widget:visible .quick-input-box input").first();
    // It may be about to close from what was done before.
    await until(`the quick input of ${key}`, async () => {
      if (!(await input.isVisible())) await this.page.keyboard.press(key);
      await input.fill((key === "F1" ? ">" : "") + text, { timeout: 5000 });
      return true;
    });
    const rows = this.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
    await rows.filter({ hasText: text }).first().waitFor();
    return rows;
  }

  /** Shows a file, where it is open already. */
  async openFile(name: string): Promise<void> {
    await this.closeQuickInput();
    const tab = this.page.locator(`.tabs-container .tab[data-resource-name="${name}"]`);
    if ((await tab.count()) > 0) await tab.first().click();
    else await (await this.quickInput("Control+p", name)).filter({ hasText: name }).first().click();
    await this.page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`).waitFor();
  }

  /** Replaces the user's settings, in the editor. */
  async setUserSettings(settings: Settings): Promise<void> {
    await this.command("Preferences: Open User Settings (JSON)");
    await this.page.locator('.editor-group-container.active .tab.active[data-resource-name="settings.json"]').waitFor();
    await this.page.locator(".editor-group-container.active .monaco-editor .view-line:visible").first().click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(JSON.stringify(settings));
    await this.save();
    await this.command("View: Close Editor");
  }

  /** Chooses a colour theme by its name in the list. */
  async chooseTheme(name: string): Promise<void> {
    await this.command("Preferences: Color Theme");
    const widget = this.page.locator(".quick-input-widget:visible");
    await widget.locator('.quick-input-box input[placeholder*="Theme"]').fill(name);
    await widget.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
    await widget.waitFor({ state: "hidden" });
  }

  async save(): Promise<void> {
    await this.page.keyboard.press("Control+s");
    await until("saved", async () => (await this.page.locator(".tabs-container .tab.active.dirty").count()) === 0);
  }

  // The text editor

  /** Scrolls to the first place of a text. */
  async reveal(text: string): Promise<void> {
    const input = this.page.locator(".find-widget.visible textarea").first();
    await until("the find widget", async () => {
      if (await input.isVisible()) return true;
      await this.page.locator(".editor-group-container.active .monaco-editor .view-line").first().click();
      await this.page.keyboard.press("Control+f");
      await input.waitFor({ timeout: 5000 });
      return true;
    });
    await input.fill(text);
    await this.page.keyboard.press("Enter");
    await this.page.keyboard.press("Escape");
    await this.place(text);
  }

  /** Where a piece of text is on the screen; `within` is (a part of) its line. */
  async place(text: string, within = text): Promise<Rectangle> {
    return until(`the text ${JSON.stringify(within)} on the screen`, () =>
      this.page.evaluate(
        ([text, within]) => {
          const plain = (content: string | null) => (content ?? "").replaceAll("\u00a0", " ").replaceAll("\u00b7", " ");
          for (const line of document.querySelectorAll(":is(.part.editor, .notebookOverlay) .monaco-editor .view-line")) {
            const content = plain(line.textContent);
            const at = content.indexOf(within);
            if (at < 0) continue;
            const from = content.indexOf(text, at);
            if (from < 0) continue;
            const range = document.createRange();
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            let offset = 0;
            let begun = false;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const length = node.textContent?.length ?? 0;
              if (!begun && from < offset + length) {
                range.setStart(node, from - offset);
                begun = true;
              }
              if (begun && from + text.length <= offset + length) {
                range.setEnd(node, from + text.length - offset);
                const { x, y, width, height } = range.getBoundingClientRect();
                return width > 0 ? { x, y, width, height } : null;
              }
              offset += length;
            }
          }
          return null;
        },
        [text, within] as const,
      ),
    );
  }

  /** Whether a decoration of this class lies under a piece of text. */
  async decorated(selector: string, text: string, within = text): Promise<boolean> {
    const { x, y, width, height } = await this.place(text, within);
    const middle = { x: x + width / 2, y: y + height / 2 };
    for (const box of await this.boxes(selector))
      if (box.x <= middle.x && middle.x <= box.x + box.width && box.y <= middle.y && middle.y <= box.y + box.height + 2)
        return true;
    return false;
  }

  async boxes(selector: string): Promise<Rectangle[]> {
    return this.page.locator(`:is(.part.editor, .notebookOverlay) .monaco-editor ${selector}`).evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      }),
    );
  }

  /** The styles of the bars at the left of lines, from top to bottom. In high contrast there is no more than bars. */
  async bars(): Promise<string[]> {
    return this.page.locator(".part.editor .view-overlays [class*=ced-]").evaluateAll((elements) =>
      elements
        .map((element) => ({ y: element.getBoundingClientRect().y, style: getComputedStyle(element) }))
        .filter(({ style }) => style.borderLeftWidth !== "0px" && style.borderLeftStyle !== "none")
        .sort((one, other) => one.y - other.y)
        .map(({ style }) => style.borderLeftStyle),
    );
  }

  /** How many lines an extension has given a background. */
  async colouredLines(): Promise<number> {
    return this.page
      .locator(".part.editor .view-overlays [class*=ced-]")
      .evaluateAll(
        (elements) =>
          elements.filter((element) => getComputedStyle(element).backgroundColor !== "rgba(0, 0, 0, 0)").length,
      );
  }

  async squiggle(text: string, within = text): Promise<void> {
    await until(`a squiggle under ${text}`, () => this.decorated("[class*=squiggly-]", text, within));
  }

  async noSquiggle(text: string, within = text): Promise<void> {
    await until(`no squiggle under ${text}`, async () => !(await this.decorated("[class*=squiggly-]", text, within)));
  }

  /** Puts the cursor into a piece of text. */
  async putCursor(text: string, within = text): Promise<void> {
    const { x, y, height, width } = await this.place(text, within);
    await this.page.mouse.click(x + Math.min(width / 2, 12), y + height / 2);
  }

  /** The number of the line that the cursor is in: the status bar does not say while a webview is active. */
  async cursorLine(): Promise<number> {
    return Number(await this.page.locator(".part.editor .monaco-editor .active-line-number").first().innerText());
  }

  /** Rests the mouse over a piece of text until the hover tells all of these; the text of the hover. */
  async hover(text: string, within: string, expected: (string | RegExp)[], limit = 90_000): Promise<string> {
    let seen = "";
    const start = Date.now();
    for (;;) {
      await this.page.mouse.move(5, viewport.height - 60);
      await this.page.waitForTimeout(400);
      const { x, y, height, width } = await this.place(text, within);
      const at = { x: x + Math.min(width / 2, 20), y: y + height / 2 };
      await this.page.mouse.move(at.x - 3, at.y);
      await this.page.mouse.move(at.x, at.y, { steps: 3 });
      const until = Date.now() + 8000;
      while (Date.now() < until) {
        await this.page.waitForTimeout(200);
        const widgets = await this.page.locator(".monaco-resizable-hover .monaco-hover:visible").allInnerTexts();
        seen = widgets.join("\n");
        if (expected.every((wanted) => (typeof wanted === "string" ? seen.includes(wanted) : wanted.test(seen)))) return seen;
      }
      if (Date.now() - start > limit)
        throw new Error(`the hover of ${JSON.stringify(text)} does not tell ${expected.join(", ")}; it tells:\n${seen}`);
    }
  }

  async closeHover(): Promise<void> {
    await this.page.mouse.move(5, viewport.height - 60);
    await until("no hover", async () => (await this.page.locator(".monaco-resizable-hover .monaco-hover:visible").count()) === 0);
  }

  /** The code lens with this text; of several the one above the line that holds `above`. */
  async lens(title: string | RegExp, above?: string): Promise<Locator> {
    return until(`the lens ${title}`, async () => {
      const links = this.page.locator(".part.editor .codelens-decoration a:visible").filter({ hasText: title });
      const found = await links.all();
      if (above === undefined) return found[0];
      const { y } = await this.place(above);
      for (const link of found) {
        const box = await link.boundingBox();
        if (box && box.y < y && y - box.y < 45) return link;
      }
      return null;
    });
  }

  /** All that the lenses on the screen say. */
  async lenses(): Promise<string> {
    return (await this.page.locator(".part.editor .codelens-decoration").allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
  }

  // Around the editor

  async notifications(): Promise<string> {
    return (await this.page.locator(".notification-toast, .notifications-center:visible").allInnerTexts()).join("\n");
  }

  async clearNotifications(): Promise<void> {
    await this.command("Notifications: Clear All Notifications");
  }

  async statusBar(): Promise<string> {
    return this.page.locator(".part.statusbar").innerText();
  }

  /** The innermost frame of a webview that shows this. */
  async webview(selector: string, limit = 90_000): Promise<Frame> {
    return until(
      `a webview with ${selector}`,
      async () => {
        for (const frame of this.page.frames())
          if (frame !== this.page.mainFrame() && (await frame.locator(selector).count()) > 0) return frame;
        return null;
      },
      limit,
    );
  }
}

import { isNewEnough, OLDEST, spelled, type Told, type Version } from "./version";

/** A place to look for interpreters; the sources are asked in order, each only if those before had none. */
export interface Source {
  /** In words, for the log: `the setting capture-lsp.interpreter`. */
  origin: string;
  /** Whether the user wrote the command: then it is kept as it is, else what it starts is named itself. */
  verbatim: boolean;
  commands(): Promise<string[][]>;
}

export interface Interpreter {
  command: string[];
  version: Version;
  hasServer: boolean;
  origin: string;
}

export interface Resolved {
  interpreter: Interpreter | null;
  /** What was tried in vain, in words. */
  rejected: string[];
}

/** The first interpreter that can run the server. */
export async function resolve(
  sources: readonly Source[],
  ask: (command: readonly string[]) => Promise<Told>,
): Promise<Resolved> {
  const rejected: string[] = [];
  for (const source of sources) {
    for (const command of await source.commands()) {
      const name = `${command.join(" ")} (${source.origin})`;
      try {
        const { version, executable, hasServer } = await ask(command);
        if (isNewEnough(version)) {
          const kept = source.verbatim || executable === "" ? command : [executable];
          return { interpreter: { command: kept, version, hasServer, origin: source.origin }, rejected };
        }
        rejected.push(`${name} is Python ${spelled(version)}; ${OLDEST[0]}.${OLDEST[1]} or later is needed`);
      } catch (error) {
        rejected.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return { interpreter: null, rejected };
}

export const SERVER_SETTINGS: readonly string[] = [];

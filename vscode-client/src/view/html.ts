/** The document of the page: nothing but its own script and style may load. */

export interface PageSources {
  /** Of `webview.asWebviewUri`. */
  script: string;
  style: string;
  /** `webview.cspSource` */
  source: string;
  nonce: string;
}

export function contentSecurityPolicy({ source, nonce }: Pick<PageSources, "source" | "nonce">): string {
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}`;
}

export function pageHtml(sources: PageSources): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(sources))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(sources.style)}">
<title>Capture</title>
</head>
<body>
<div id="app"></div>
<script nonce="${attribute(sources.nonce)}" src="${attribute(sources.script)}"></script>
</body>
</html>
`;
}

function attribute(value: string): string {
  return value.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

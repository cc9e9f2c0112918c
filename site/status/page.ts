import { pageBundle } from './page-bundle.ts';

const html = `<!doctype html>
<html lang="zh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fieldline</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/status.css">
</head>
<body>
<header>
  <div><h1 id="instance">Fieldline</h1><p id="version"></p></div>
  <nav>
    <button id="lang" type="button">English</button><button id="logout" type="button" hidden></button>
  </nav>
</header>
<main>
  <p id="trouble" role="alert" hidden></p>
  <form id="login" hidden>
    <p class="light"><i id="ready"></i><span id="readytext"></span></p>
    <label for="key" id="keylabel"></label>
    <input id="key" type="password" autocomplete="current-password" required>
    <button type="submit" id="enter"></button>
    <p id="hint" class="quiet"></p>
  </form>
  <div id="board" hidden>
    <section id="state"></section>
    <section id="tiles"></section>
    <section><h2 id="alarmshead"></h2><div id="alarms"></div></section>
    <section id="parkedpart" hidden><h2 id="parkedhead"></h2><div id="parked"></div></section>
    <section><h2 id="dayhead"></h2><div id="day"></div></section>
    <section id="librarypart" hidden>
      <h2 id="libraryhead"></h2>
      <form id="library">
        <select id="librarytenant" hidden></select>
        <input id="libraryquery" type="search" maxlength="500" required>
        <button type="submit" id="librarygo"></button>
      </form>
      <div id="librarystate"></div>
      <div id="libraryfound" aria-live="polite"></div>
    </section>
    <section><h2 id="eventshead"></h2><div id="events"></div></section>
    <section><h2 id="camerashead"></h2><div id="cameras"></div></section>
  </div>
</main>
<dialog id="dialog"></dialog>
<script src="/status.js"></script>
</body>
</html>
`;

type PageFile = '/' | '/status.js' | '/status.css';

/** The status page. Nothing in it comes from elsewhere: a phone on the site's network needs no Internet. */
export const pageFiles: Readonly<Record<PageFile, () => string | Promise<string>>> = {
  '/': () => html,
  '/status.js': async () => (await pageBundle()).script,
  '/status.css': async () => (await pageBundle()).style,
};

export const style = `
:root {
  color-scheme: light dark;
  --bg: #f3f5f7;
  --card: #fff;
  --ink: #16202a;
  --quiet: #5d6b78;
  --line: #dde3e8;
  --good: #12803c;
  --look: #a86400;
  --bad: #c4201d;
  --mark: #1f6feb;
  --wait: #d98324;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #10161c;
    --card: #1a222b;
    --ink: #e8edf2;
    --quiet: #98a6b3;
    --line: #2d3843;
    --good: #45c46f;
    --look: #e8a33d;
    --bad: #ff6b64;
    --mark: #5b9dff;
    --wait: #e8a33d;
  }
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  margin: 0;
  background: var(--bg);
  color: var(--ink);
  font:
    16px/1.5 system-ui,
    -apple-system,
    "PingFang SC",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    sans-serif;
}
header {
  display: flex;
  justify-content: space-between;
  align-items: center;
  gap: 1rem;
  padding: 0.8rem 1rem;
  background: var(--card);
  border-bottom: 1px solid var(--line);
}
header > div {
  min-width: 0;
}
h1 {
  margin: 0;
  font-size: 1.2rem;
  overflow-wrap: anywhere;
}
h2 {
  margin: 0 0 0.6rem;
  font-size: 1rem;
}
header p {
  margin: 0;
  color: var(--quiet);
  font-size: 0.85rem;
}
nav {
  display: flex;
  gap: 0.5rem;
  flex: none;
}
main {
  max-width: 68rem;
  margin: 0 auto;
  padding: 1rem;
}
section {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.6rem;
  padding: 1rem;
  margin-bottom: 1rem;
}
button {
  font: inherit;
  min-height: 2.5rem;
  padding: 0.3rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--card);
  color: var(--ink);
  cursor: pointer;
}
form {
  max-width: 26rem;
  margin: 2rem auto;
  padding: 1.2rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.6rem;
  display: grid;
  gap: 0.7rem;
}
input {
  font: inherit;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.4rem 0.7rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--bg);
  color: var(--ink);
}
form button {
  background: var(--mark);
  border-color: var(--mark);
  color: #fff;
  min-height: 2.75rem;
}
form p {
  margin: 0;
}
.quiet {
  color: var(--quiet);
  font-size: 0.85rem;
}
.light {
  display: flex;
  gap: 0.5rem;
  align-items: center;
}
i {
  width: 0.8rem;
  height: 0.8rem;
  border-radius: 50%;
  background: var(--quiet);
  flex: none;
}
.good {
  --tone: var(--good);
}
.look {
  --tone: var(--look);
}
.bad {
  --tone: var(--bad);
}
.none {
  --tone: var(--quiet);
}
i[class] {
  background: var(--tone);
}
#state {
  display: flex;
  align-items: center;
  gap: 0.8rem;
  font-size: 1.15rem;
  font-weight: 600;
  border-left: 0.4rem solid var(--tone);
}
#state small {
  display: block;
  font-size: 0.9rem;
  font-weight: 400;
  color: var(--quiet);
  overflow-wrap: anywhere;
}
#state i {
  width: 1.1rem;
  height: 1.1rem;
}
#tiles {
  background: none;
  border: 0;
  padding: 0;
  display: grid;
  gap: 0.75rem;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
}
.tile {
  background: var(--card);
  border: 1px solid var(--line);
  border-left: 0.3rem solid var(--tone);
  border-radius: 0.6rem;
  padding: 0.7rem 0.9rem;
  min-width: 0;
}
.tile h3 {
  margin: 0;
  font-size: 0.85rem;
  font-weight: 500;
  color: var(--quiet);
}
.tile strong {
  display: block;
  font-size: 1.15rem;
  overflow-wrap: anywhere;
}
.tile p {
  margin: 0.1rem 0 0;
  font-size: 0.85rem;
  color: var(--quiet);
  overflow-wrap: anywhere;
}
.alarm {
  padding: 0.5rem 0 0.5rem 0.7rem;
  border-left: 0.25rem solid var(--tone);
  margin-bottom: 0.5rem;
}
.alarm p {
  margin: 0;
  overflow-wrap: anywhere;
}
table {
  width: 100%;
  border-collapse: collapse;
  font-size: 0.92rem;
}
th {
  text-align: left;
  font-weight: 500;
  color: var(--quiet);
  font-size: 0.85rem;
  white-space: nowrap;
}
td,
th {
  padding: 0.4rem 0.6rem 0.4rem 0;
  border-bottom: 1px solid var(--line);
  vertical-align: top;
}
tr:last-child td {
  border-bottom: 0;
}
td {
  overflow-wrap: anywhere;
}
td.time {
  white-space: nowrap;
}
.narrow {
  display: none;
}
.badge {
  display: inline-block;
  padding: 0 0.5rem;
  border-radius: 1rem;
  border: 1px solid var(--tone);
  color: var(--tone);
  font-size: 0.82rem;
  white-space: nowrap;
}
svg {
  width: 100%;
  height: auto;
  display: block;
}
svg text {
  fill: var(--quiet);
  font-size: 11px;
}
svg .bar {
  fill: var(--mark);
}
svg .wait {
  fill: none;
  stroke: var(--wait);
  stroke-width: 2;
}
svg .axis {
  stroke: var(--line);
}
svg .off {
  fill: var(--line);
  opacity: 0.6;
}
.legend {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 1rem;
  font-size: 0.82rem;
  color: var(--quiet);
}
.legend span::before {
  content: "";
  display: inline-block;
  width: 0.8rem;
  height: 0.6rem;
  margin-right: 0.35rem;
}
.legend .in::before {
  background: var(--mark);
}
.legend .waiting::before {
  background: var(--wait);
}
.legend .dark::before {
  background: var(--line);
}
#trouble {
  background: var(--bad);
  color: #fff;
  padding: 0.5rem 0.8rem;
  border-radius: 0.5rem;
}
@media (max-width: 40rem) {
  main {
    padding: 0.7rem;
  }
  #tiles {
    grid-template-columns: 1fr 1fr;
    gap: 0.5rem;
  }
  .tile {
    padding: 0.5rem 0.6rem;
  }
  .tile strong {
    font-size: 1rem;
  }
  .wide {
    display: none;
  }
  .narrow,
  .day {
    display: block;
  }
  section {
    padding: 0.8rem;
  }
}
`;

// What each shell offers behind the command, asked of the shell itself: the scripts lie where it looks.
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import type { Machine } from './machine.ts';

/** A zsh at a terminal of its own is typed to, since its completion works nowhere else. */
const ZSH = `zmodload zsh/zpty
zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'autoload -Uz compinit; compinit -u -D; setopt noautomenu; print RE"AD"Y'
zpty -r z said '*READY*'
zpty -w -n z $'fieldline-site parked \\t\\t'
zpty -r z said '*show*'
print -r -- "$said"
zpty -d z`;

export async function completions(checks: Checks, machine: Machine): Promise<void> {
  await checks.check('bash, zsh and fish complete the command', () => {
    const bash = machine.must(
      'bash',
      '-c',
      '. /usr/share/bash-completion/completions/fieldline-site; COMP_WORDS=(fieldline-site parked ' +
        '""); COMP_CWORD=2; _fieldline_site; echo "${COMPREPLY[@]}"',
    );
    expectEqual(bash.trim(), 'list show replay discard', 'bash');
    const fish = machine.must('env', 'HOME=/root', 'fish', '-c', 'complete -C "fieldline-site parked "');
    expectEqual(
      fish
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0])
        .sort(),
      ['discard', 'list', 'replay', 'show'],
      'fish',
    );
    expectEqual(
      machine
        .must('env', 'HOME=/root', 'fish', '-c', 'complete -C "fieldline-site status --lang "')
        .match(/^\w+/gm)
        ?.sort(),
      ['en', 'zh'],
      'fish, the value of an option',
    );
    expectMatch(
      machine.must('timeout', '60', 'zsh', '-f', '-c', ZSH),
      /discard +-- .*\s+list +-- .*\s+replay +-- .*\s+show/,
      'zsh',
    );
  });
}

/**
 * Variables that would point a program of the demonstration at somebody's real database, keys or
 * headquarters.
 */
const FOREIGN = /^(?:CORE_|AGENT_|RULES_|DATABASE_URL$|(?:STATE|RUNTIME|CREDENTIALS)_DIRECTORY$)/;

/**
 * The environment of one program: the user's own, without its configuration, and what the demonstration sets.
 */
export function programEnvironment(
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.test(name))), ...own };
}

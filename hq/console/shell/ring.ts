/** When each tone begins, s, and its pitch, Hz. */
const TONES = [
  [0, 880],
  [0.25, 660],
  [0.5, 880],
] as const;
const LASTS_S = 0.2;
const LOUDNESS = 0.2;
const CLOSE_AFTER_MS = 2_000;

/** Calls whoever is near. A browser lets nobody hear it on a page that was not touched yet. */
export function ring(): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.gain.value = LOUDNESS;
  gain.connect(context.destination);
  for (const [after, pitch] of TONES) {
    const tone = context.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(gain);
    tone.start(context.currentTime + after);
    tone.stop(context.currentTime + after + LASTS_S);
  }
  setTimeout(() => void context.close(), CLOSE_AFTER_MS);
}

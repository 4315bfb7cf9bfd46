import type {Texts} from './en.js';

/** The texts of the console in the language of this reader. */
export let t: Texts;

const CHOICE = 'acp.language';
export const LANGUAGES = {en: 'English', de: 'Deutsch'} as const;
export type Language = keyof typeof LANGUAGES;

/** Languages that are written from right to left. */
const FROM_THE_RIGHT = ['ar', 'fa', 'he', 'ur'];

const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'de';

/** The one that was chosen here, else the first of the browser's that there is. */
export function language(): Language {
  const chosen = localStorage.getItem(CHOICE);
  return isLanguage(chosen) ? chosen : navigator.languages.map(one => one.slice(0, 2)).find(isLanguage) ?? 'en';
}

export async function readTexts(): Promise<void> {
  t = language() === 'de' ? (await import('./de.js')).texts : (await import('./en.js')).texts;
  document.documentElement.lang = language();
  document.documentElement.dir = FROM_THE_RIGHT.includes(language()) ? 'rtl' : 'ltr';
}

export function choose(chosen: Language): void {
  localStorage.setItem(CHOICE, chosen);
  location.reload();
}

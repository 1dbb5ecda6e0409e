/** The file name extension of modules: `.ts` in the sources, `.js` in the published package. */
export const moduleExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The URL of another module by its path without an extension, relative to this folder. For modules that no import names. */
export const getModuleUrl = (path: string): URL => new URL(`${path}${moduleExtension}`, import.meta.url)

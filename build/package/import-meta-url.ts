import { pathToFileURL } from 'node:url'

/** The value of `import.meta.url` in CommonJS modules. The build of the package uses it there. */
export const importMetaUrl = pathToFileURL(__filename).href

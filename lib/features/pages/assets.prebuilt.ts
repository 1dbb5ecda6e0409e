import { app } from './app-build.prebuilt.ts'

/** The content of the files that pages link, by name. */
export const { scripts, stylesheets } = app

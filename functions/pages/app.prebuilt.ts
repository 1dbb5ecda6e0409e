import { app } from './app-build.prebuilt.ts'

/** The files that each page links. */
export const pageFiles = app.pages

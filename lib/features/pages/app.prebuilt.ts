import { app, texts } from './app-build.prebuilt.ts'

/** The files that each page links. */
export const pageFiles = app.pages

export const { messagesVersion } = app.assets

export const pageTexts = texts

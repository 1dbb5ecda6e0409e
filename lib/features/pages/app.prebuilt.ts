import { app, titles } from './app-build.prebuilt.ts'

/** The files that each page links. */
export const pageFiles = app.pages

export const { messagesVersion } = app.assets

/** What the server says itself on each page: the titles, and the text without JavaScript. */
export const pageTitles = titles

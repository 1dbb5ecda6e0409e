import { app } from './app-build.prebuilt.ts'

/** The content of the files that pages link. */
export const { assets } = app

// The bundler collects the stylesheets that scripts import.
declare module '*.css'
// The bundler reads a guide as a text.
declare module '*.md'

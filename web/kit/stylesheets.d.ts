// The bundler collects the stylesheets that scripts import.
declare module '*.css'

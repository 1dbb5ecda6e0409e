import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * Put into each bundle, so that a stack trace names our files and lines. `--enable-source-maps` does the same, but
 * at the price of 3 ms at each cold start; this reads the map when the first trace is wanted.
 */

const bundle = import.meta.url
let map: SourceMap | undefined

const mapped = (frame: NodeJS.CallSite): string => {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
  if (frame.getFileName() !== bundle || line === null || column === null) return String(frame)
  map ??= new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundle)}.map`, 'utf8')))
  const origin = map.findOrigin(line, column)
  if (!('fileName' in origin)) return String(frame)
  const name = `${frame.isAsync() ? 'async ' : ''}${origin.name ?? frame.getFunctionName() ?? '<anonymous>'}`
  return `${name} (${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber})`
}

const readable = (frame: NodeJS.CallSite): string => {
  try {
    return mapped(frame)
  } catch {
    return String(frame)
  }
}

Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map((frame) => `    at ${readable(frame)}`)].join('\n')

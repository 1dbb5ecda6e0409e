import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { localAws } from '../local/aws-environment.ts'
import { type CountedRequestName, countedRequestNames, type RecordedCosts } from './recorded-costs.ts'

/** The calls of each function by file. Functions of a file that have the same name are added up. */
export type CountedRequest = Readonly<Record<string, Readonly<Record<string, number>>>>
export type CountedRequests = Readonly<Record<CountedRequestName, CountedRequest>>

const child = fileURLToPath(new URL('./function-calls-child.ts', import.meta.url))
/**
 * V8 counts in the feedback vectors of functions, and only while the interpreter runs them. So it creates each vector with the first
 * call, drops none with unused bytecode, and compiles nothing.
 */
const flags = [
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
  '--no-sparkplug',
  '--no-maglev',
  '--no-opt',
]

/**
 * Counts the calls of functions in warm requests to the real handlers, with the engine of this endpoint. The numbers are the same on
 * each machine. Settings of this process change nothing.
 */
export const countFunctionCalls = async (endpoint: string): Promise<CountedRequests> => {
  const env = { PATH: process.env['PATH'], ...localAws, DYNAMODB_ENDPOINT: endpoint }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, child], {
    env,
    maxBuffer: 16 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

/** The files that each request enters, and the calls in all of them. */
export const sumFunctionCalls = (counted: CountedRequests): RecordedCosts['functionCalls'] => {
  const sums = countedRequestNames.map((name) => {
    const calls = Object.values(counted[name]).flatMap((functions) => Object.values(functions))
    return [
      name,
      { files: Object.keys(counted[name]).length, calls: calls.reduce((sum, one) => sum + one, 0) },
    ]
  })
  return Object.fromEntries(sums)
}

/** A line for each function that a request calls, in an order that lets the lines of two commits be compared. */
export const formatFunctionCalls = (counted: CountedRequests): string =>
  countedRequestNames
    .flatMap((request) =>
      Object.entries(counted[request]).flatMap(([file, functions]) =>
        Object.entries(functions).map(([name, calls]) => `${request} ${file} ${name}: ${calls}\n`),
      ),
    )
    .sort()
    .join('')

#!/usr/bin/env node

/*
 * The command `latchkey` of the package. It imports nothing before it knows the version of Node.js, because older ones cannot
 * evaluate the modules, and would print a stack trace instead of a sentence.
 */

/** The oldest version that can run it, such as `20.16`. The build sets it. */
declare const oldestNode: string

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `Latchkey needs Node.js ${oldestNode} or newer, and this is ${process.versions.node}. Install a newer one.\n`,
  )
  process.exitCode = 1
} else await import(new URL('./latchkey.js', import.meta.url).href)

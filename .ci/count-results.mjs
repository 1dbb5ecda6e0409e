import { readFileSync } from 'node:fs'

/*
 * Prints what failed in a run, and ends with the counts of tests and checks. Its argument is a folder with the JSON reports of Vitest and
 * the file `outcomes`. Each line of this file is `passed` or `failed` and the command. The line of a suite ends with the name of its report.
 */

const [, , folder] = process.argv

const readReport = (name) => {
  try {
    return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
  } catch {
    return { numPassedTests: 0, testResults: [] }
  }
}

/** Lists the failures of a test file. A file that fails before its first test is one. */
const listFailures = ({ name, status, message, assertionResults }) => {
  const failed = assertionResults.filter((one) => one.status === 'failed')
  if (status === 'failed' && failed.length === 0) return [`${name}\n${message.slice(0, 2000)}`]
  return failed.map(
    ({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`,
  )
}

/** Counts the tests of a suite. A command that fails without a failed test is a failure, and so is a suite without tests. */
const countSuite = (outcome, command, name) => {
  const { numPassedTests, testResults } = readReport(name)
  const failures = testResults.flatMap(listFailures)
  if (failures.length === 0 && numPassedTests === 0) failures.push(`${command}: no test ran`)
  if (failures.length === 0 && outcome === 'failed')
    failures.push(`${command}: failed after its tests passed`)
  return { passed: numPassedTests, failures }
}

const countLine = (line) => {
  const [outcome, command, report] = line.split('\t')
  if (report !== undefined) return countSuite(outcome, command, report)
  return outcome === 'passed' ? { passed: 1, failures: [] } : { passed: 0, failures: [command] }
}

const counts = readFileSync(`${folder}/outcomes`, 'utf8').trimEnd().split('\n').map(countLine)
const failures = counts.flatMap((count) => count.failures)
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
process.stdout.write(`tests: ${passed} passed, ${failures.length} failed\n`)
process.exitCode = failures.length > 0 ? 1 : 0

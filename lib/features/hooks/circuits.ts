import { hookCircuit } from '../../kernel/limits/hook-limits.ts'
import type { HookName } from '../../kernel/settings/hooks.ts'
import type { HookProblemKind } from './invoke-hook.ts'

/*
 * A function that is down would hold each request for its whole time. After a few failures for different people, this process does not
 * call it for a while. Nothing of it is shared: other processes find out for themselves.
 */

interface Failure {
  /** The account or proof that the question was about. */
  readonly subject: string
  readonly atMs: number
}

interface Circuit {
  failures: readonly Failure[]
  openUntil: number
  /** When the function was last called, in epoch milliseconds. */
  calledAt: number
}

const circuits = new Map<HookName, Circuit>()

const getCircuit = (name: HookName): Circuit => {
  const circuit = circuits.get(name) ?? { failures: [], openUntil: 0, calledAt: 0 }
  circuits.set(name, circuit)
  return circuit
}

/** Whether the function is not called now. */
export const isOpen = (name: HookName, nowMs: number): boolean => nowMs < getCircuit(name).openUntil

/** Notes that the function answered. */
export const noteAnswer = (name: HookName, nowMs: number): void => {
  getCircuit(name).calledAt = nowMs
}

/** What one person's input cannot cause. An error of the function, or a wrong answer, can depend on the person. */
const counted: readonly HookProblemKind[] = ['timeout', 'connect', 'status']

/** Notes a failure. The first call after a pause does not count, because Lambda may have started the function for it. */
export const noteFailure = (
  name: HookName,
  { subject, problem, atMs }: Failure & { readonly problem: HookProblemKind },
): void => {
  if (problem === 'circuit') return
  const circuit = getCircuit(name)
  const isFirst = atMs - circuit.calledAt >= hookCircuit.idleMs
  circuit.calledAt = atMs
  if (isFirst || !counted.includes(problem)) return
  const recent = circuit.failures.filter((one) => atMs - one.atMs < hookCircuit.windowMs)
  circuit.failures = [...recent.filter((one) => one.subject !== subject), { subject, atMs }]
  if (circuit.failures.length < hookCircuit.accounts) return
  circuit.failures = []
  circuit.openUntil = atMs + hookCircuit.openMs
}

/** Closes all circuits, for tests that share a process. */
export const closeCircuits = (): void => circuits.clear()

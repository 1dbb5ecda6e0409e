/** How many audit events a kind of change must have left: at least `certain`, and at most `certain + possible`. */
export interface Expected {
  certain: number
  /** Requests without a clear answer. They may have made the change. */
  possible: number
}

/** What the soak found out while it ran. */
export const createLedger = () => {
  const statuses = new Map<number, number>()
  const expected = new Map<string, Expected>()
  const problems = new Map<string, number>()
  const endedBearers: string[] = []
  const counts = { requests: 0, scenarios: 0, interrupted: 0, spentTwice: 0, races: 0 }
  return {
    counts,
    statuses,
    expected,
    endedBearers,
    /** What is wrong, each with how often it was found. */
    problems,
    report: (problem: string): void => {
      problems.set(problem, (problems.get(problem) ?? 0) + 1)
    },
    noteStatus: (status: number): void => {
      counts.requests++
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },
    /** Expects the audit event of a change, as the status of its request demands. */
    expectEvent: (event: string, status: number): void => {
      const entry = expected.get(event) ?? { certain: 0, possible: 0 }
      expected.set(event, entry)
      if (status >= 200 && status < 400) entry.certain++
      else if (isUnclear(status)) entry.possible++
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>

/** Whether a request with this status may have been carried out. 0 stands for no answer. */
export const isUnclear = (status: number): boolean => status === 0 || status >= 500

export interface ThrottleLimits {
  /** Requests per second in the long run. */
  readonly rateLimit: number
  /** Requests that may arrive at once. */
  readonly burstLimit: number
}

/**
 * Creates the token bucket with which API Gateway throttles a stage. The function that it returns takes a token for a
 * request, and returns false if there is none.
 */
export const createThrottle = ({ rateLimit, burstLimit }: ThrottleLimits): (() => boolean) => {
  let tokens = burstLimit
  let filledAt = performance.now()
  return () => {
    const now = performance.now()
    tokens = Math.min(burstLimit, tokens + ((now - filledAt) / 1000) * rateLimit)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

/**
 * The partitions of the counters of active users. Each takes at most 1,000 writes a second, which are as many users whose first
 * request of the day comes in a second.
 */
export const activeUserShards = 8

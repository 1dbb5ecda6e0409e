import { tokenNetworkDays, tokenNetworksMax, tokenNetworksPerDay } from '../../kernel/limits/limits.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { day } from '../../kernel/util/time.ts'
import type { UsedNetwork } from './models.ts'

/*
 * From which networks a token was used, by day. It is stored with the token, which each use reads. So a use writes only if the network
 * is new on this day.
 */

/**
 * Adds the network of an address to those that are stored, oldest first. Returns undefined if nothing has to be stored: it is known on
 * this day, or the day has as many as are stored. `nowMs` is in epoch milliseconds.
 *
 * @example
 * ```ts
 * addUsedNetwork([], '192.0.2.7', Date.parse('2026-11-30')) // ['2026-11-30 192.0.2.7']
 * ```
 */
export const addUsedNetwork = (
  stored: readonly string[],
  address: string,
  nowMs: number,
): readonly string[] | undefined => {
  const today = formatDate(nowMs)
  const entry = `${today} ${getNetwork(address)}`
  if (stored.includes(entry)) return undefined
  const ofToday = stored.filter((one) => one.startsWith(today))
  if (ofToday.length >= tokenNetworksPerDay) return undefined
  return [...keepRecent(stored, nowMs), entry].slice(-tokenNetworksMax)
}

/** The networks of the last days, newest day first. */
export const listUsedNetworks = (stored: readonly string[], nowMs: number): UsedNetwork[] =>
  keepRecent(stored, nowMs)
    .map((entry) => ({ date: entry.slice(0, 10), network: entry.slice(11) }))
    .reverse()

const keepRecent = (stored: readonly string[], nowMs: number): readonly string[] => {
  const first = formatDate(nowMs - tokenNetworkDays * day)
  return stored.filter((entry) => entry.slice(0, 10) >= first)
}

const formatDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

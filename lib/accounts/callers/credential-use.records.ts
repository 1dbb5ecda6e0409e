import {
  apiTokenUsePrecisionMs,
  tokenNetworkDays,
  tokenNetworksMax,
  tokenNetworksPerDay,
} from '../../kernel/limits/limits.ts'
import { isPresent, type Update } from '../../kernel/table/expressions.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { day } from '../../kernel/util/time.ts'
import type { UsedNetwork } from './credential-use.models.ts'

/*
 * When a token was used, and from which networks, by day. It is stored with the token, which each use reads. So a use writes only once in
 * a while, or if the network is new on this day.
 */

/** What a token of any kind remembers of its uses. */
export interface TokenUse {
  /** Epoch milliseconds. Null before the first use. */
  readonly lastUsedAt: number | null
  /** A date and a network each, oldest first. Missing before the first use. */
  readonly usedNetworks?: readonly string[]
}

/** What is known about a request with a token, and who wants to know that it expired. */
export interface TokenAuthentication {
  /** Called for a credential whose value is right, and that would work if its time were not over. */
  readonly onExpired?: (() => void) | undefined
  /** The address that the request came from. A token remembers its network. */
  readonly address?: string | undefined
}

/**
 * Returns what a use changes, or undefined if nothing has to be stored. `address` is that of the sender, or undefined if it is not known.
 * `nowMs` is in epoch milliseconds.
 */
export const planUse = (
  { lastUsedAt, usedNetworks = [] }: TokenUse,
  address: string | undefined,
  nowMs: number,
): TokenUse | undefined => {
  const networks = address === undefined ? undefined : addUsedNetwork(usedNetworks, address, nowMs)
  const isRecent = lastUsedAt !== null && nowMs - lastUsedAt < apiTokenUsePrecisionMs
  return isRecent && !networks
    ? undefined
    : { lastUsedAt: nowMs, ...(networks && { usedNetworks: networks }) }
}

/** The changes of the item of a token, if it still exists. Of uses at the same time, a network can be left out until the next one. */
export const toUseChanges =
  (use: TokenUse): Update =>
  (x) => ({
    set: Object.entries(use).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: isPresent(x),
  })

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

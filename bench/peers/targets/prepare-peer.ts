import { password, people } from '../../load/scenarios.ts'

/** The environment of a peer that adds the people. */
export const peopleSettings = { PEOPLE: String(people), PASSWORD: password }

/** Sends a request of the preparation to a peer. @throws Error if it fails. */
export const preparePeer = async <Reply>(url: string, path: string, body: object = {}): Promise<Reply> => {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Reply
}

import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** What the server answers about the TXT records of a name. */
export type TxtAnswer = readonly Buffer[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence'

export interface DnsServer {
  /** The answers by name, in lowercase. Other names do not exist. */
  readonly answers: Map<string, TxtAnswer>
  /** The names that were asked for. */
  readonly questions: readonly string[]
  readonly close: () => void
}

/** Starts a DNS server, over UDP and TCP, and makes it the one that this process asks. */
export const startDnsServer = async (): Promise<DnsServer> => {
  const answers: DnsServer['answers'] = new Map()
  const questions: string[] = []
  const respond = (query: Buffer): Buffer | undefined => {
    const { name, end } = readName(query)
    questions.push(name)
    const answer = answers.get(name) ?? 'NXDOMAIN'
    return answer === 'silence' ? undefined : encode(query, end, answer)
  }
  const tcp = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const response = respond(data.subarray(2))
      if (!response) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(response.length)
      socket.write(Buffer.concat([length, response]))
    })
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const address = tcp.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const udp = createSocket('udp4')
  udp.on('message', (query, { port: to }) => {
    const response = respond(query)
    if (response) udp.send(response.length > 512 ? truncate(query) : response, to, '127.0.0.1')
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const before = dns.getServers()
  dns.setServers([`127.0.0.1:${port}`])
  return {
    answers,
    questions,
    close: () => {
      dns.setServers(before)
      udp.close()
      tcp.close()
    },
  }
}

const headerBytes = 12

/** The name of the question, and where the question ends. */
const readName = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

const buildHeader = (query: Buffer, flags: number, records: number): Buffer => {
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(flags, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records, 6)
  return header
}

/** Makes the client ask again over TCP. */
const truncate = (query: Buffer): Buffer => {
  const { end } = readName(query)
  return Buffer.concat([buildHeader(query, 0x8780, 0), query.subarray(headerBytes, end)])
}

const encode = (query: Buffer, end: number, answer: Exclude<TxtAnswer, 'silence'>): Buffer => {
  const question = query.subarray(headerBytes, end)
  if (answer === 'NXDOMAIN') return Buffer.concat([buildHeader(query, 0x8583, 0), question])
  if (answer === 'SERVFAIL') return Buffer.concat([buildHeader(query, 0x8582, 0), question])
  return Buffer.concat([buildHeader(query, 0x8580, answer.length), question, ...answer.map(encodeRecord)])
}

/** A TXT record, in parts of up to 255 bytes. */
const encodeRecord = (value: Buffer): Buffer => {
  const parts = [...Array(Math.max(1, Math.ceil(value.length / 255))).keys()].flatMap((index) => {
    const part = value.subarray(index * 255, (index + 1) * 255)
    return [Buffer.from([part.length]), part]
  })
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

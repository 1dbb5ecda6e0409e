/** Returns the credential of an `Authorization` header (RFC 6750 2.1), or an empty text if the header is malformed. */
export const parseBearer = (header: string): string => /^Bearer +(\S+)$/i.exec(header)?.[1] ?? ''

// Certificates of key pairs that no longer exist. The private keys were deleted at once.

/** What the SAML provider of the examples signs with. */
export const exampleCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBiTCCAS+gAwIBAgIUfPNwy8UG/hTPfxbOVmb6lQoy2cowCgYIKoZIzj0EAwIw',
  'GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMB4XDTI2MTEyMDIzMTU0NloXDTM2',
  'MTExNzIzMTU0NlowGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAE4lcEwaRMPNUQPLtW6snCtK0zWt6M37zZmnvb2Fj9',
  'sa++9XL4kuNrluWun79AawL1ElRhzvUQyVWBR6lonuDYjqNTMFEwHQYDVR0OBBYE',
  'FPmI5INbboFx2k3sCwRG7AW+hxNxMB8GA1UdIwQYMBaAFPmI5INbboFx2k3sCwRG',
  '7AW+hxNxMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJkaw9rw',
  'UX/caXgel1Y1XURzKMr/IAdFQkuU7VTnvIS/AiA7cG6LMruMtocDQ5o7tj9FkbGZ',
  'KjD6TOqY0eloyOQZzQ==',
  '-----END CERTIFICATE-----',
].join('\n')

/** What this service signs with for that provider. */
export const exampleServiceCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIDFzCCAf+gAwIBAgIUfrpsB0fvtFtMP8xSVfD1wWYZ4SswDQYJKoZIhvcNAQEL',
  'BQAwGzEZMBcGA1UEAwwQYXV0aC5leGFtcGxlLmNvbTAeFw0yNjExMjAyMzE1NDZa',
  'Fw0zNjExMTcyMzE1NDZaMBsxGTAXBgNVBAMMEGF1dGguZXhhbXBsZS5jb20wggEi',
  'MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDNbBEY+nwraTV5lG987AVYT0jv',
  'k7iHob4ABQzeo+zqXNiCFJnJq5KfBvcPz9CXzeP/2hATxYl1FCwYvkB9N7y+YPtj',
  'Ikfx0tMu/Lz/Z1tzPKctLQ7dlfMR5j+/aTQX2aCkFfN35P0md5K9DxvRXfbSIffK',
  'J9HYNd/YvfnwCEjtWEythK0b9inUKHaS8T8IzyQsEycy+Ix4qljasNP5H/2BmmeZ',
  'Fa/egCjyJABwvpmSrAtMYW63Yjy8hkidJW2gYMP7amrgYdPlBDeBFncVg6OCLm/s',
  'n73Quo2Ef7SmNhQF2g70CEIvrZ38BuUhLZiBSBXfAwL0+NaxfB67YgONrL1bAgMB',
  'AAGjUzBRMB0GA1UdDgQWBBTc6++5LHXr8qchtzeJUn0VYP9ZxjAfBgNVHSMEGDAW',
  'gBTc6++5LHXr8qchtzeJUn0VYP9ZxjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3',
  'DQEBCwUAA4IBAQBgwL1tAxjL3PZ2LKQ5E7HLWNyi9Erpt0iHolC1vE8JH1N79A1a',
  'dElYyjNJ6oJP2EJV5A7uLXtsCzJ/hBYn/JPHkOc7U5eUp8nRXfBfBaB/CWVHwIaw',
  'bXSCWVviNDdk+YUnrvkcDkmDGL8qoP/qD+gThg2cCvPrwTxgp5rUmJ9gqDhEX4G9',
  '3WVII/w/a7/T1eftw5RFLJEWm/pD+b1eFV9Ix6UeLI+q8XGhuMPWHRWzqHdQ16a3',
  'Mu3TwHzK8LhpyOxeKl5z4iaDiN9c6COVlIibCvlzvREMYZLbjuUabV/YZ/s0kkv1',
  'PPWQZ1D0Eb+gxFJdx8u98FFs9zbq77sKcrP8',
  '-----END CERTIFICATE-----',
].join('\n')

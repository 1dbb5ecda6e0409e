/** A certificate of no one: its private key was deleted. It is valid until 2036. */
export const exampleCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBiDCCAS+gAwIBAgIUTp4mI9Kk1DrpLpfUUv2H0jeXpzUwCgYIKoZIzj0EAwIw',
  'GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMB4XDTI2MTEyMDIzMDkwNFoXDTM2',
  'MTExNzIzMDkwNFowGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAE+QUZ9vf172tavbf5wmBdGC/S63kttWqTx+YB2ozq',
  'WOSbzG36pOxIpDRWnWtwmosOGiTs0PCY3c/TxD/ebHcDEKNTMFEwHQYDVR0OBBYE',
  'FE/LNN0RW0u6rmsLwYx2bLdL9dYNMB8GA1UdIwQYMBaAFE/LNN0RW0u6rmsLwYx2',
  'bLdL9dYNMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgBxQqonRi',
  'brhUefEV5xgVfjL02kCmny2MoHW2injB92cCIDKuTwIzJ6BKZU+HapyKLpXymEku',
  'RQGiebLP4tSe5vJ1',
  '-----END CERTIFICATE-----',
].join('\n')

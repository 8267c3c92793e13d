// Adds the token in FORGE_TOKEN to each request: the conformance suite cannot send one.
// Usage: node mcp-bearer-proxy.mjs http://127.0.0.1:PORT. Prints its own address.
import { createServer, request } from 'node:http'

const target = new URL(process.argv[2])
const server = createServer((from, to) => {
  const headers = { ...from.headers, authorization: `Bearer ${process.env.FORGE_TOKEN}` }
  const options = { host: target.hostname, port: target.port, path: from.url, method: from.method, headers }
  const forwarded = request(options, (answer) => {
    to.writeHead(answer.statusCode, answer.headers)
    answer.pipe(to)
  })
  forwarded.on('error', () => to.writeHead(502).end())
  from.pipe(forwarded)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))

import type { NextConfig } from 'next'

const nextConfig: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  reactCompiler: true,
  typedRoutes: true,
  // `npm test` checks the types of everything, tests included, in a step of its own.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@anthropic-ai/sdk'],
  // A summary request travels as one Blob; both limits must let it through (docs/architecture.md).
  experimental: { serverActions: { bodySizeLimit: '48mb' }, proxyClientMaxBodySize: '48mb' },
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'Referrer-Policy', value: 'no-referrer' },
          { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
          { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        ],
      },
    ]
  },
}
export default nextConfig

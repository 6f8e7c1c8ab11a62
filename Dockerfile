# docker build -t palimpsest . && docker run -p 3210:3210 -e PALIMPSEST_ACCESS_TOKEN=… -e ANTHROPIC_API_KEY=… palimpsest
# Put HTTPS in front of it; list the name it is reached by in PALIMPSEST_ALLOWED_HOSTS. It refuses to start without a token.
FROM node:20-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# Step by step what `npm start` does, so that it finds everything done; packages first, which change least.
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs scripts/
RUN node -e "import('./scripts/prepare.mjs').then((prepare) => prepare.installLocked())"
COPY . .
RUN node -e "import('./scripts/prepare.mjs').then(async (prepare) => process.exit(await prepare.buildIfStale()))" \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf .next/cache e2e docs

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3210
COPY --from=build --chown=node:node /app ./
USER node
EXPOSE 3210
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.mjs"]

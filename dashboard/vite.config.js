import { defineConfig } from 'vite';

export default defineConfig({
  // The page's policy forbids inline scripts and styles, so nothing is inlined and no helper script is injected.
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8091' } },
  test: { include: ['test/**/*.test.ts'], environment: 'node' },
});

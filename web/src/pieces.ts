// The drawings in assets/pieces, which the build puts into the bundle.
import { drawings } from 'virtual:pieces';
export function pieceImage(asset: string): string | undefined {
  return drawings[asset.replace(/^.*\//, '').replace(/\.svg$/, '')];
}

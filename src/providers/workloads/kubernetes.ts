import { workloadPreset } from './workload.ts';

/** The API server of a Kubernetes cluster: the tokens of service accounts. */
export const kubernetes = workloadPreset({
  title: 'Kubernetes',
  jwks: '/openid/v1/jwks',
  listsAudience: true,
  // kubernetes/pkg/serviceaccount/claims.go
  usual: {
    'kubernetes.io': {
      namespace: 'default',
      node: { name: 'node-1', uid: '646e7c5e-32d6-4d42-9dbd-e504e6cbe6b1' },
      pod: { name: 'app-0', uid: '5e0bd49b-f040-43b0-99b7-22765a53f7f3' },
      serviceaccount: { name: 'default', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
    },
  },
  made: [
    {
      claims: {
        aud: 'https://kubernetes.default.svc.cluster.local',
        sub: 'system:serviceaccount:${claims[kubernetes.io].namespace}:${claims[kubernetes.io].serviceaccount.name}',
      },
    },
  ],
});

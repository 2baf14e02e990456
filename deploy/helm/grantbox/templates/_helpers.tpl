{{- define "grantbox.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "grantbox.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "grantbox.valkey.selector" -}}
app.kubernetes.io/name: valkey
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "grantbox.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The address that browsers use. */}}
{{- define "grantbox.issuer" -}}
{{- if .Values.issuer -}}
{{ .Values.issuer }}
{{- else if .Values.ingress.enabled -}}
{{ ternary "https" "http" (ne .Values.ingress.tlsSecretName "") }}://{{ .Values.ingress.host }}
{{- else -}}
http://localhost:9000
{{- end -}}
{{- end }}

{{/* Mistakes that no schema can name. */}}
{{- define "grantbox.demands" -}}
{{- $hasStore := or .Values.valkey.enabled .Values.store.url .Values.store.existingSecret -}}
{{- if and (gt (int .Values.replicas) 1) (not $hasStore) }}
{{- fail "replicas: more than one needs a store that they share: set valkey.enabled, store.url or store.existingSecret" }}
{{- end }}
{{- if and .Values.store.url .Values.store.existingSecret }}
{{- fail "store: set url or existingSecret, not both" }}
{{- end }}
{{- if and .Values.valkey.enabled (or .Values.store.url .Values.store.existingSecret) }}
{{- fail "valkey.enabled: there is a store already; leave out store.url and store.existingSecret" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.host: expected the host name that browsers use" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.controlToken.existingSecret) }}
{{- fail "controlToken.existingSecret: an ingress opens the sandbox to others, so it needs a control token: kubectl create secret generic grantbox --from-literal=control-token=$(openssl rand -hex 16)" }}
{{- end }}
{{- range $name := list "PORT" "HOST" "ISSUER" "CONTROL_TOKEN" "STORE_URL" "CONFIG_FILE" "DRAIN_DELAY" }}
{{- if hasKey $.Values.settings $name }}
{{- fail (printf "settings.%s: the chart sets it; use the value for it" $name) }}
{{- end }}
{{- end }}
{{- end }}

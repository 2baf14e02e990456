# Both images, for two architectures, each with a software bill of materials and its provenance:
#   docker buildx bake                                      checks that they build; nothing is kept
#   IMAGE=registry.example/grantbox docker buildx bake --push
#   docker buildx bake slim --set '*.platform=linux/arm64' --load
variable "IMAGE" {
  default = "grantbox"
}

variable "VERSION" {
  default = "0.1.0"
}

variable "REVISION" {
  default = "unknown"
}

variable "SOURCE" {
  default = "unknown"
}

group "default" {
  targets = ["slim", "distroless"]
}

target "common" {
  context   = "."
  platforms = ["linux/amd64", "linux/arm64"]
  args = {
    VERSION  = VERSION
    REVISION = REVISION
    SOURCE   = SOURCE
  }
  attest = ["type=sbom", "type=provenance,mode=max"]
}

target "slim" {
  inherits = ["common"]
  target   = "slim"
  tags     = ["${IMAGE}:${VERSION}"]
}

target "distroless" {
  inherits = ["common"]
  target   = "distroless"
  tags     = ["${IMAGE}:${VERSION}-distroless"]
}

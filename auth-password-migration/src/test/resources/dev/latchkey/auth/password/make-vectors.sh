#!/bin/sh
# Hashes made by the real tools, for RealToolHashesTest: writes real-tool-hashes.tsv beside itself. The test reads that file only, so a
# machine needs none of the tools to run it. Each line: tool, algorithm that identify() shall name, password in hexadecimal of UTF-8, hash.
#
# Debian: apt-get install apache2-utils openssl php-cli whois slapd argon2; then
#   python3 -m venv v && v/bin/pip install passlib==1.7.4 bcrypt==4.0.1 argon2-cffi==25.1.0 Django==5.2.19
#   PYTHON=v/bin/python ./make-vectors.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out="$here/real-tool-hashes.tsv"
python=${PYTHON:-python3}
: > "$out"

hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
emit() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(hex "$3")" "$4" >> "$out"; }

for password in 'correct horse' 'pässwörd-€-😀' 'a' "$(printf 'x%.0s' $(seq 1 64))" "$(printf 'yz%.0s' $(seq 1 50))"; do
  emit 'htpasswd -B' bcrypt "$password" "$(htpasswd -nbB -C 5 u "$password" | head -1 | cut -d: -f2-)"
  emit 'htpasswd -m' apr1 "$password" "$(htpasswd -nbm u "$password" | head -1 | cut -d: -f2-)"
  emit 'htpasswd -s' sha1 "$password" "$(htpasswd -nbs u "$password" | head -1 | cut -d: -f2-)"
  emit 'htpasswd -2' sha256-crypt "$password" "$(htpasswd -nb2 u "$password" 2>/dev/null | head -1 | cut -d: -f2-)"
  emit 'openssl passwd -1' md5-crypt "$password" "$(printf '%s' "$password" | openssl passwd -1 -stdin)"
  emit 'openssl passwd -apr1' apr1 "$password" "$(printf '%s' "$password" | openssl passwd -apr1 -stdin)"
  emit 'openssl passwd -5' sha256-crypt "$password" "$(printf '%s' "$password" | openssl passwd -5 -stdin)"
  emit 'openssl passwd -6' sha512-crypt "$password" "$(printf '%s' "$password" | openssl passwd -6 -stdin)"
  emit 'mkpasswd sha-256' sha256-crypt "$password" "$(mkpasswd -m sha-256 -R 1234 "$password")"
  emit 'mkpasswd sha-512' sha512-crypt "$password" "$(mkpasswd -m sha-512 -R 1001 "$password")"
  emit 'mkpasswd md5' md5-crypt "$password" "$(mkpasswd -m md5 "$password")"
  emit 'mkpasswd bcrypt' bcrypt "$password" "$(mkpasswd -m bcrypt -R 5 "$password")"
  emit 'mkpasswd bcrypt-a' bcrypt "$password" "$(mkpasswd -m bcrypt-a -R 5 "$password")"
  emit 'php bcrypt' bcrypt "$password" "$(php -r 'echo password_hash($argv[1], PASSWORD_BCRYPT, ["cost" => 5]);' "$password")"
  emit 'php crypt sha512' sha512-crypt "$password" "$(php -r 'echo crypt($argv[1], "\$6\$rounds=1500\$saltofphp");' "$password")"
  emit 'slappasswd SSHA' ssha "$password" "$(slappasswd -h '{SSHA}' -s "$password")"
  emit 'slappasswd SMD5' smd5 "$password" "$(slappasswd -h '{SMD5}' -s "$password")"
  emit 'slappasswd SHA' sha1 "$password" "$(slappasswd -h '{SHA}' -s "$password")"
  emit 'slappasswd CRYPT' sha512-crypt "$password" "$(slappasswd -h '{CRYPT}' -c '$6$%.12s' -s "$password")"
  for scheme in SSHA256 SSHA512; do
    emit "slappasswd $scheme" "$(echo "$scheme" | tr A-Z a-z)" "$password" \
      "$(slappasswd -o module-load=pw-sha2.so -h "{$scheme}" -s "$password" 2>/dev/null)"
  done
  emit 'argon2 -id' argon2id "$password" "$(printf '%s' "$password" | argon2 somesaltofmine -id -k 256 -t 2 -p 2 -l 32 -e)"
  emit 'argon2 -i' argon2i "$password" "$(printf '%s' "$password" | argon2 somesaltofmine -i -k 128 -t 3 -p 1 -l 24 -e)"
  emit 'argon2 -d' argon2d "$password" "$(printf '%s' "$password" | argon2 somesaltofmine -d -k 64 -t 1 -p 4 -l 32 -e)"
  emit 'argon2 -i -v 10' argon2i "$password" "$(printf '%s' "$password" | argon2 somesaltofmine -i -v 10 -k 64 -t 2 -p 1 -l 32 -e)"
done

"$python" - >> "$out" <<'EOF'
import hashlib, warnings
warnings.simplefilter("ignore")
from passlib import hash as p
import django
from django.conf import settings
settings.configure(PASSWORD_HASHERS=[
    "django.contrib.auth.hashers." + n for n in (
        "PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "BCryptSHA256PasswordHasher", "BCryptPasswordHasher",
        "Argon2PasswordHasher", "ScryptPasswordHasher", "MD5PasswordHasher")])
django.setup()
from django.contrib.auth import hashers

def emit(tool, algorithm, password, value):
    print(tool, algorithm, password.encode().hex(), value, sep="\t")

class Pbkdf2(hashers.PBKDF2PasswordHasher): iterations = 2000
class Pbkdf2Sha1(hashers.PBKDF2SHA1PasswordHasher): iterations = 2000
class BcryptSha256(hashers.BCryptSHA256PasswordHasher): rounds = 5
class Bcrypt(hashers.BCryptPasswordHasher): rounds = 5
class Argon2(hashers.Argon2PasswordHasher): time_cost, memory_cost, parallelism = 2, 512, 2
class Scrypt(hashers.ScryptPasswordHasher): work_factor, block_size, parallelism = 2**8, 8, 2
from unittest import mock

for w in ["correct horse", "pässwörd-€-😀", "a", "x" * 64, "yz" * 50]:
    emit("passlib pbkdf2_sha256", "pbkdf2-sha256", w, p.pbkdf2_sha256.using(rounds=1500).hash(w))
    emit("passlib pbkdf2_sha512", "pbkdf2-sha512", w, p.pbkdf2_sha512.using(rounds=1500).hash(w))
    emit("passlib pbkdf2_sha1", "pbkdf2-sha1", w, p.pbkdf2_sha1.using(rounds=1500).hash(w))
    emit("passlib bcrypt", "bcrypt", w, p.bcrypt.using(rounds=5).hash(w))
    emit("passlib sha256_crypt", "sha256-crypt", w, p.sha256_crypt.using(rounds=1777).hash(w))
    emit("passlib sha512_crypt", "sha512-crypt", w, p.sha512_crypt.using(rounds=5000).hash(w))
    emit("passlib md5_crypt", "md5-crypt", w, p.md5_crypt.hash(w))
    emit("passlib apr_md5_crypt", "apr1", w, p.apr_md5_crypt.hash(w))
    emit("passlib phpass", "phpass", w, p.phpass.using(rounds=8).hash(w))
    emit("passlib phpass H", "phpass", w, p.phpass.using(rounds=9, ident="H").hash(w))
    emit("passlib mysql41", "mysql-native", w, p.mysql41.hash(w))
    emit("passlib argon2", "argon2id", w, p.argon2.using(type="ID", rounds=2, memory_cost=256, parallelism=2).hash(w))
    emit("passlib scrypt", "scrypt", w, p.scrypt.using(rounds=8, block_size=8, parallelism=1).hash(w))
    emit("passlib ldap_salted_sha1", "ssha", w, p.ldap_salted_sha1.hash(w))
    emit("passlib ldap_salted_sha256", "ssha256", w, p.ldap_salted_sha256.hash(w))
    emit("passlib ldap_salted_sha512", "ssha512", w, p.ldap_salted_sha512.hash(w))
    emit("passlib ldap_salted_md5", "smd5", w, p.ldap_salted_md5.hash(w))
    emit("passlib ldap_sha1", "sha1", w, p.ldap_sha1.hash(w))
    emit("passlib ldap_sha256_crypt", "sha256-crypt", w, p.ldap_sha256_crypt.using(rounds=1000).hash(w))
    emit("passlib ldap_bcrypt", "bcrypt", w, p.ldap_bcrypt.using(rounds=5).hash(w))
    emit("django pbkdf2_sha256", "pbkdf2-sha256", w, Pbkdf2().encode(w, Pbkdf2().salt()))
    emit("django pbkdf2_sha1", "pbkdf2-sha1", w, Pbkdf2Sha1().encode(w, Pbkdf2Sha1().salt()))
    emit("django bcrypt_sha256", "django-bcrypt-sha256", w, BcryptSha256().encode(w, BcryptSha256().salt()))
    emit("django bcrypt", "bcrypt", w, Bcrypt().encode(w, Bcrypt().salt()))
    emit("django argon2", "argon2id", w, Argon2().encode(w, Argon2().salt()))
    emit("django scrypt", "scrypt", w, Scrypt().encode(w, Scrypt().salt()))
EOF
echo "$(wc -l < "$out") hashes in $out"

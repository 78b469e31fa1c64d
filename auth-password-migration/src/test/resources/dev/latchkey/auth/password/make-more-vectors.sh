#!/bin/sh
# As make-vectors.sh, for the formats of further systems: writes more-tool-hashes.tsv beside itself, with the same columns.
#
# Debian: apt-get install php-cli grub-common postgresql; and what make-vectors.sh needs, whose tools hash one password more here.
#   python3 -m venv v && v/bin/pip install passlib==1.7.4 bcrypt==4.0.1 argon2-cffi==25.1.0 Django==5.2.19 Werkzeug==3.1.3 scramp==1.5.0
#   PYTHON=v/bin/python PSQL='psql -h … -U postgres -At' FIREBASE_SCRYPT=…/scrypt DRUPAL_PHP=… KEYCLOAK_TSV=… ./make-more-vectors.sh
#
# FIREBASE_SCRYPT is the utility of github.com/firebase/scrypt. DRUPAL_PHP is a file with Drupal's PhpassHashedPasswordBase, made to be called as
# drupal_hash($password, $setting). KEYCLOAK_TSV has lines as this file's, made by Keycloak's own Pbkdf2PasswordHashProvider and
# Argon2PasswordHashProvider and written as Keycloak exports a CredentialRepresentation. ASP.NET Core Identity's two formats are written
# here after their published layout, by Python.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out="$here/more-tool-hashes.tsv"
python=${PYTHON:-python3}

sed -e "s/^for password in .*; do/for password in \"\$(printf 'é%.0s' \$(seq 1 40))\"; do/" \
  -e 's/^for w in \[.*/for w in ["é" * 40]:/' -e 's/real-tool-hashes/more-tool-hashes/' "$here/make-vectors.sh" > "$here/again.sh"
sh "$here/again.sh" > /dev/null
rm "$here/again.sh"

hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
emit() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(hex "$3")" "$4" >> "$out"; }

signer=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==
for password in 'a' 'correct horse' 'pässwörd-€-😀' "$(printf 'yz%.0s' $(seq 1 50))" "$(printf 'é%.0s' $(seq 1 40))"; do
  emit 'grub-mkpasswd-pbkdf2' pbkdf2-sha512 "$password" \
    "$(printf '%s\n%s\n' "$password" "$password" | grub-mkpasswd-pbkdf2 -c 1000 2>/dev/null | grep -o 'grub\.pbkdf2.*')"
  emit 'wordpress' wordpress-bcrypt "$password" "$(php -r '
    echo "\$wp", password_hash(base64_encode(hash_hmac("sha384", trim($argv[1]), "wp-sha384", true)), PASSWORD_BCRYPT, ["cost" => 5]);' \
    "$password")"
  emit 'drupal' drupal7 "$password" "$(php -r 'require $argv[1]; echo drupal_hash($argv[2], "\$S\$7saltsalt");' "$DRUPAL_PHP" "$password")"
  emit 'drupal U' drupal7-md5 "$password" \
    "$(php -r 'require $argv[1]; echo "U", drupal_hash(md5($argv[2]), "\$S\$8saltsalt");' "$DRUPAL_PHP" "$password")"
  $PSQL -qc "drop role if exists made; create role made; alter role made password '$password'" 2>/dev/null
  emit 'postgresql' scram-sha256 "$password" "$($PSQL -c "select rolpassword from pg_authid where rolname = 'made'")"
  salt=$(head -c 10 /dev/urandom | base64)
  hash=$(printf '%s' "$password" | "$FIREBASE_SCRYPT" "$signer" "$salt" Bw== 8 8 -P)
  emit 'firebase fbscrypt' firebase-scrypt "$password" "\$fbscrypt\$v=1,n=8,r=8,p=1,ss=Bw==,sk=$signer\$$salt\$$hash"
  emit 'firebase firescrypt' firebase-scrypt "$password" "\$firescrypt\$ln=8,r=8,p=1\$$salt\$$hash\$Bw==\$$signer"
done

"$python" - >> "$out" <<'EOF'
import base64, hashlib, os, struct, warnings
warnings.simplefilter("ignore")
from passlib import hash as p
from scramp import ScramMechanism
from scramp.core import ScramException
from werkzeug.security import generate_password_hash

def emit(tool, algorithm, password, value):
    print(tool, algorithm, password.encode().hex(), value, sep="\t")

def aspnet2(w):
    salt = os.urandom(16)
    return base64.b64encode(b"\0" + salt + hashlib.pbkdf2_hmac("sha1", w.encode(), salt, 1000, 32)).decode()

def aspnet3(w, prf, digest, rounds):
    salt = os.urandom(16)
    head = b"\1" + struct.pack(">III", prf, rounds, len(salt))
    return base64.b64encode(head + salt + hashlib.pbkdf2_hmac(digest, w.encode(), salt, rounds, 32)).decode()

def scram(mechanism, w):
    salt, stored, server, rounds = ScramMechanism(mechanism).make_auth_info(w, iteration_count=4096)
    b64 = lambda b: base64.b64encode(b).decode()
    return f"{mechanism}${rounds}:{b64(salt)}${b64(stored)}:{b64(server)}"

for w in ["a", "correct horse", "pässwörd-€-😀", "yz" * 50, "é" * 40]:
    emit("passlib bcrypt_sha256 2", "passlib-bcrypt-sha256", w, p.bcrypt_sha256.using(rounds=5).hash(w))
    emit("passlib bcrypt_sha256 1", "passlib-bcrypt-sha256", w, p.bcrypt_sha256.using(rounds=5, version=1).hash(w))
    emit("passlib sha1_crypt", "sha1-crypt", w, p.sha1_crypt.using(rounds=1000).hash(w))
    emit("passlib ldap_pbkdf2_sha1", "pbkdf2-sha1", w, p.ldap_pbkdf2_sha1.using(rounds=1000).hash(w))
    emit("passlib ldap_pbkdf2_sha256", "pbkdf2-sha256", w, p.ldap_pbkdf2_sha256.using(rounds=1000).hash(w))
    emit("passlib ldap_pbkdf2_sha512", "pbkdf2-sha512", w, p.ldap_pbkdf2_sha512.using(rounds=1000).hash(w))
    emit("passlib atlassian_pbkdf2_sha1", "pbkdf2-sha1", w, p.atlassian_pbkdf2_sha1.hash(w))
    emit("passlib cta_pbkdf2_sha1", "pbkdf2-sha1", w, p.cta_pbkdf2_sha1.using(rounds=1000).hash(w))
    emit("passlib dlitz_pbkdf2_sha1", "pbkdf2-sha1", w, p.dlitz_pbkdf2_sha1.using(rounds=1000).hash(w))
    emit("passlib dlitz_pbkdf2_sha1 400", "pbkdf2-sha1", w, p.dlitz_pbkdf2_sha1.using(rounds=400).hash(w))
    emit("passlib grub_pbkdf2_sha512", "pbkdf2-sha512", w, p.grub_pbkdf2_sha512.using(rounds=1000).hash(w))
    for variant, name in enumerate(["sha1", "sha256", "sha384", "sha512"]):
        emit("passlib fshp " + name, "fshp-" + name, w, p.fshp.using(variant=variant, rounds=500).hash(w))
    emit("passlib mssql2005", "mssql2005", w, p.mssql2005.hash(w))
    emit("passlib oracle11", "oracle11", w, p.oracle11.hash(w))
    for mechanism in ["SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512"]:
        try:
            emit("scramp " + mechanism, mechanism.lower().replace("sha-", "sha"), w, scram(mechanism, w))
        except ScramException:
            # It holds to Unicode 3.2, as RFC 4013 says, which has no such character.
            emit("scramp " + mechanism, mechanism.lower().replace("sha-", "sha"), "Straße\u00a0Ⅸ", scram(mechanism, "Straße\u00a0Ⅸ"))
    emit("werkzeug scrypt", "scrypt", w, generate_password_hash(w, "scrypt:256:8:1"))
    for name in ["sha1", "sha256", "sha512"]:
        emit("werkzeug pbkdf2 " + name, "pbkdf2-" + name, w, generate_password_hash(w, f"pbkdf2:{name}:1000"))
    emit("aspnet v2", "pbkdf2-sha1", w, aspnet2(w))
    emit("aspnet v3 sha1", "pbkdf2-sha1", w, aspnet3(w, 0, "sha1", 1000))
    emit("aspnet v3 sha256", "pbkdf2-sha256", w, aspnet3(w, 1, "sha256", 1000))
    emit("aspnet v3 sha512", "pbkdf2-sha512", w, aspnet3(w, 2, "sha512", 1000))
EOF
cat "$KEYCLOAK_TSV" >> "$out"
echo "$(wc -l < "$out") hashes in $out"

package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.Secret;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The service's own account in the directory, for searching and reading. */
record ServiceAccount(String dn, BindPassword password) {

    private static final String DN_KEY = "bind-dn";
    private static final String PASSWORD = "bind-password";
    private static final String FILE = "bind-password-file";

    /** Empty if the service has no account. */
    static Optional<ServiceAccount> of(PluginConfig config) {
        Optional<String> dn = config.text(DN_KEY);
        Optional<Secret> password = config.secret(PASSWORD);
        Optional<Path> file = config.path(FILE);
        if (dn.isEmpty()) {
            if (password.isPresent() || file.isPresent()) {
                throw config.missing(DN_KEY).get();
            }
            return Optional.empty();
        }
        if (password.isPresent() == file.isPresent()) {
            throw config.wrong(FILE, "set where there is a bind-dn, or bind-password, and not both");
        }
        if (!isDn(dn.get())) {
            throw config.wrong(DN_KEY, "a DN such as cn=orders,ou=services,dc=example,dc=org");
        }
        return Optional.of(new ServiceAccount(
                dn.get(),
                file.map(path -> readable(config, path)).orElseGet(() -> BindPassword.of(password.orElseThrow()))));
    }

    /** Active Directory also accepts a name with a domain: {@code orders@corp.example}. */
    private static boolean isDn(String text) {
        return !text.isBlank() && (DN.isValidDN(text) || (text.indexOf('@') > 0 && text.indexOf('=') < 0));
    }

    private static BindPassword readable(PluginConfig config, Path path) {
        BindPassword password = BindPassword.inFile(path);
        try {
            Arrays.fill(password.getPasswordBytes(), (byte) 0);
            return password;
        } catch (LDAPException e) {
            throw config.wrong(FILE, "the path of a file that this service may read, with the password in it");
        }
    }

    SimpleBindRequest bindRequest() {
        return new SimpleBindRequest(dn, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "ServiceAccount[" + dn + "]";
    }
}

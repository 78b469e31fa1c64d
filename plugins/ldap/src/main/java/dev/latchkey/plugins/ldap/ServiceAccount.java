package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The service's own account in the directory, for searching and reading. */
record ServiceAccount(String dn, BindPassword password) {

    static final PluginSetting<String> BIND_DN = PluginSetting.text("bind-dn", "the service's own account")
            .must(ServiceAccount::isDn, "a DN such as cn=orders,ou=services,dc=example,dc=org");

    static final PluginSetting<Path> FILE = PluginSetting.path(
            "bind-password-file", "the file with the account's password, read for each new connection");

    static final PluginSetting<Secret> PASSWORD =
            PluginSetting.secret("bind-password", "the account's password, in place of bind-password-file");

    static void check(PluginEnvironment environment) {
        boolean hasPassword = environment.find(PASSWORD).isPresent();
        boolean hasFile = environment.find(FILE).isPresent();
        if (environment.find(BIND_DN).isEmpty() && (hasPassword || hasFile)) {
            var unused = environment.missing(BIND_DN);
        } else if (environment.find(BIND_DN).isPresent() && hasPassword == hasFile) {
            var unused = environment.wrong(FILE, "set where there is a bind-dn, or bind-password, and not both");
        }
    }

    /** Empty if the service has no account. */
    static Optional<ServiceAccount> of(PluginEnvironment environment) {
        return environment.find(BIND_DN).map(dn -> new ServiceAccount(dn, passwordIn(environment)));
    }

    private static BindPassword passwordIn(PluginEnvironment environment) {
        return environment
                .find(FILE)
                .map(path -> readable(environment, path))
                .orElseGet(() -> BindPassword.of(environment.get(PASSWORD)));
    }

    /** Active Directory also accepts a name with a domain: {@code orders@corp.example}. */
    private static boolean isDn(String text) {
        return !text.isBlank() && (DN.isValidDN(text) || (text.indexOf('@') > 0 && text.indexOf('=') < 0));
    }

    private static BindPassword readable(PluginEnvironment environment, Path path) {
        BindPassword password = BindPassword.inFile(path);
        try {
            Arrays.fill(password.getPasswordBytes(), (byte) 0);
            return password;
        } catch (LDAPException e) {
            throw environment.wrong(FILE, "the path of a file that this service may read, with the password in it");
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

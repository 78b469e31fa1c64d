package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The requesting user for the server's controllers and roles.
 *
 * <p>The administrator flag is computed on demand. Usually a permission check sets the flag, but the controller for
 * password changes reads the flag without such a check. For one request, and therefore one thread.
 */
final class LatchkeyUser extends NacosUser {

    private final BooleanSupplier administrator;
    private final Set<String> mappedRoles;
    private @Nullable Boolean globalAdmin;

    /** @param mappedRoles of another source's subject, in addition to the roles in the server's table */
    LatchkeyUser(String name, String token, Set<String> mappedRoles, BooleanSupplier administrator) {
        super(name, token);
        this.mappedRoles = mappedRoles;
        this.administrator = administrator;
    }

    Set<String> mappedRoles() {
        return mappedRoles;
    }

    @Override
    public boolean isGlobalAdmin() {
        if (globalAdmin == null) {
            globalAdmin = mappedRoles.contains(MappedRoles.ADMINISTRATOR) || administrator.getAsBoolean();
        }
        return globalAdmin;
    }

    @Override
    public void setGlobalAdmin(boolean globalAdmin) {
        this.globalAdmin = globalAdmin;
    }

    /** Without the token, which the server's own class would print. */
    @Override
    public String toString() {
        return "LatchkeyUser[" + getUserName() + "]";
    }
}

package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, as the server's controllers and its roles want it.
 *
 * <p>Whether he is the administrator is looked up when somebody asks: the controller that changes passwords does, without having had
 * the permission checked, which would have said so. Of one request, and so of one thread.
 */
final class LatchkeyUser extends NacosUser {

    private final BooleanSupplier administrator;
    private @Nullable Boolean globalAdmin;

    LatchkeyUser(String name, String token, BooleanSupplier administrator) {
        super(name, token);
        this.administrator = administrator;
    }

    @Override
    public boolean isGlobalAdmin() {
        if (globalAdmin == null) {
            globalAdmin = administrator.getAsBoolean();
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

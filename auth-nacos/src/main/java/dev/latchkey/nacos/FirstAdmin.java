package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.constant.AuthConstants;
import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import com.alibaba.nacos.plugin.auth.impl.utils.PasswordGeneratorUtil;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Creates the first administrator. As in the server itself, the first caller may create the administrator.
 *
 * <p>Can be repeated: if the server stopped between creating the user and the role, the next call sets a new password
 * and adds the role.
 */
final class FirstAdmin {

    private final NacosUserService users;
    private final NacosRoleService roles;
    private final ReentrantLock once = new ReentrantLock();

    FirstAdmin(NacosUserService users, NacosRoleService roles) {
        this.users = users;
        this.roles = roles;
    }

    /**
     * Creates the administrator with this password, or with a random password; empty if there is already an
     * administrator.
     *
     * @throws IllegalArgumentException if the password is too long for the server
     */
    Optional<User> create(@Nullable String password) {
        once.lock();
        try {
            if (roles.hasGlobalAdminRole()) {
                return Optional.empty();
            }
            String name = AuthConstants.DEFAULT_USER;
            String chosen =
                    password == null || password.isBlank() ? PasswordGeneratorUtil.generateRandomPassword() : password;
            if (users.getUser(name) == null) {
                users.createUser(name, chosen);
            } else {
                users.updateUserPassword(name, chosen);
            }
            roles.addAdminRole(name);
            User created = new User();
            created.setUsername(name);
            created.setPassword(chosen);
            return Optional.of(created);
        } finally {
            once.unlock();
        }
    }
}

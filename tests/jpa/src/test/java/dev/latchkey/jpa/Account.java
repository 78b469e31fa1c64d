package dev.latchkey.jpa;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Collection;
import java.util.Set;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.UserDetails;

/** An account with lazy roles, as collections of JPA are by default. */
@Entity
class Account implements UserDetails {

    private static final long serialVersionUID = 1L;

    @Id
    private String username;

    private String hash;

    @ElementCollection
    private Set<String> roles;

    /** For Hibernate. */
    protected Account() {}

    Account(String username, String hash, Set<String> roles) {
        this.username = username;
        this.hash = hash;
        this.roles = roles;
    }

    @Override
    public String getUsername() {
        return username;
    }

    @Override
    public String getPassword() {
        return hash;
    }

    @Override
    public Collection<? extends GrantedAuthority> getAuthorities() {
        return AuthorityUtils.createAuthorityList(roles);
    }
}
